"""The HTTP interface for programs: its addresses, request bodies, event stream and OpenAPI description."""
