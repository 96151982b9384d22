"""A slow and plain game of card lists, written apart from the kernels to check them."""
