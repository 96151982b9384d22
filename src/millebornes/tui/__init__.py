"""The game in a terminal.

`controller.Controller` decides what a person can do now, for both screens. ``plain`` is the game line by line and
``full`` the game on the whole screen; they draw what the controller returns. ``common`` is what both of them draw with.
"""
