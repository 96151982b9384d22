"""The shape of everything that is read or written: a Struct for each object, and one reader for all of them.

Each field says what it means. The reader's errors, the JSON Schema, the description of the API and the tables in the
documents are all made from the Structs.
"""

from typing import Final

__all__ = ["FORMAT"]

FORMAT: Final = "millebornes/1"
"""The name and number of the transcript format and of the bot protocol."""
