"""R9: editions as data. The five known editions are TOML files beside this module, and you can write your own."""

from millebornes.editions.fields import FIELDS, Field, parse_setting
from millebornes.editions.model import (
    Edition,
    Rules,
    check_table,
    default_sides,
    edition,
    load_edition,
    make_rules,
    read_edition,
)
from millebornes.editions.text import EDITIONS

__all__ = [
    "EDITIONS",
    "FIELDS",
    "Edition",
    "Field",
    "Rules",
    "check_table",
    "default_sides",
    "edition",
    "load_edition",
    "make_rules",
    "parse_setting",
    "read_edition",
]
