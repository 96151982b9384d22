"""What consoles of Windows want before they show colours."""

import ctypes
from typing import Any, Final

__all__ = ["enable_escapes"]

OUTPUT: Final = -11
"""The number of standard output among the handles of a process."""
PROCESSES_ESCAPES: Final = 4


def enable_escapes(system: Any = None) -> bool:
    """Have the console take escape sequences; whether it does. ``system`` is kernel32, by default the real one."""
    try:
        kernel = system or ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
        handle, mode = kernel.GetStdHandle(OUTPUT), ctypes.c_uint()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return True  # no console of Windows but a terminal of another kind, such as that of Git
        return bool(kernel.SetConsoleMode(handle, mode.value | PROCESSES_ESCAPES))
    except (AttributeError, OSError):
        return False
