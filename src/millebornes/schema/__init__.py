"""The shape of everything that is read or written: a Struct for each object, and one reader for all of them.

Each field says what it means. The reader's errors, the JSON Schema, the API's description and the tables in the
documents all follow from the Structs.
"""
