"""A minimal server as a yardstick for tables: it sends each posted message to two streams, and acknowledges it.

It supports the addresses that a load uses. It stores nothing and knows nothing about the game.
"""

import asyncio
import socket
from collections import defaultdict
from collections.abc import AsyncIterator


def main() -> None:
    """Serve on a free port until the process receives SIGTERM."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    queues: dict[str, list[asyncio.Queue[bytes]]] = defaultdict(list)

    async def move(request: Request) -> Response:
        body = await request.body()
        for queue in queues[request.path_params["table"]]:
            queue.put_nowait(body)
        return JSONResponse({"version": 1})

    async def events(request: Request) -> Response:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queues[request.path_params["table"]].append(queue)

        async def events() -> AsyncIterator[bytes]:
            yield b"event: beat\ndata: {}\n\n"
            while True:
                yield b"id: 1\nevent: moved\ndata: %s\n\n" % await queue.get()

        return StreamingResponse(events(), media_type="text/event-stream")

    table = "/api/tables/{table}"
    routes = [Route(f"{table}/moves", move, methods=["POST"]), Route(f"{table}/events", events)]
    made = socket.create_server(("127.0.0.1", 0), backlog=2048)
    listening = socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())
    config = uvicorn.Config(
        Starlette(routes=routes), log_level="critical", access_log=False, timeout_graceful_shutdown=1, lifespan="off"
    )
    print(f"Serving on http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    main()
