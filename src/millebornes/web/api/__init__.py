"""The HTTP interface for programs: addresses, bodies, the event stream, the description of it all."""
