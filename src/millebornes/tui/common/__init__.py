"""What the line game and the full screen share below the controller: moves as typed, settings, symbols and reports.

Nothing here reads input or prints. Sentences are in `millebornes.words`.
"""
