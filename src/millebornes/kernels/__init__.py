"""Declare, compile, store and load kernels: functions compiled by Numba.

Nothing in this package knows about the game. `decorator` declares kernels, and `bits`, `memory` and `vectors` add
instructions that Numba doesn't offer. `compiler` compiles them, and keeps the code in Numba's cache. `store` has the
folder for it, and the object files that `machine_code` loads without Numba. `python_fallback` lets kernels run as plain
Python until their code is ready, and `notice` lets a screen announce that something is being compiled. No other package
imports Numba or llvmlite.
"""
