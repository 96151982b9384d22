"""The parts of the table and of other screens, and how they are drawn."""
