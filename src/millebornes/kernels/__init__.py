"""Functions compiled by Numba: how they are declared, compiled, stored, and run as plain Python until they are ready.

Nothing here knows the game. `decorator` declares kernels, and `bits`, `memory` and `vectors` contain instructions that
Numba doesn't offer. `compiler` makes machine code using private parts of Numba, and `numba_cache` does so without them.
`store` keeps that code, and `machine_code` loads it without Numba. `meanwhile` decides what runs until the code is
ready, and `notice` lets a screen report that something is being compiled. No other package imports Numba or llvmlite.
"""
