"""The HTTP interface for programs: addresses, bodies, the event stream, and the OpenAPI description."""
