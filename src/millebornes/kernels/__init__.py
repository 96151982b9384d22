"""Declare, compile, store and load kernels: functions compiled by Numba.

Nothing in this package knows about the game. `decorator` declares kernels, and `bits`, `memory` and `vectors` add
instructions that Numba doesn't offer. `compiler` compiles them with the help of private parts of Numba, and
`numba_cache` without them. `store` keeps the compiled code, and `machine_code` loads it without Numba. `meanwhile` lets
kernels run as plain Python until their code is ready, and `notice` lets a screen announce that something is being
compiled. No other package imports Numba or llvmlite.
"""
