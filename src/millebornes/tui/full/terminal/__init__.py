"""The code between Textual and the terminal: the driver, and the decision which input comes too early."""
