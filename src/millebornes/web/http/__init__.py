"""The API over HTTP: its addresses, streams and description, and what stands around them: guard, logs and metrics."""
