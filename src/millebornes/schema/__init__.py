"""Define the shape of all data that is read or written, as one Struct for each kind of object.

Each field has a description. The errors for invalid data, the JSON Schema, the description of the API and the tables in
the documentation are all generated from the Structs.
"""

from typing import Final

__all__ = ["FORMAT"]

FORMAT: Final = "millebornes/1"
"""The name and version of the transcript format and of the bot protocol."""
