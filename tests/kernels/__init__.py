"""The kernels' toolchain: what is kept, loaded and compiled, whatever they compute."""
