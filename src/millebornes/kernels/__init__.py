"""Functions compiled by Numba: declared, compiled, kept in files, and run in plain Python until they are there.

Nothing here knows the game. `decorator` declares kernels and `bits`, `memory` and `vectors` hold the instructions that
Numba doesn't offer. `compiler` makes machine code with private parts of Numba, `numba_cache` without them. `store`
keeps that code, and `machine_code` loads it without Numba. `meanwhile` says what runs until it is there, and `notice`
lets a screen say that something is being compiled. No other package imports Numba or llvmlite.
"""
