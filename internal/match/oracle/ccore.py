"""Runs a gRPC server of the C core: services and messages come from descriptor sets, answers from the test.

The first argument is a directory to import grpc and google.protobuf from. Commands come one JSON object a line on the
standard input, each gets one line on the standard output; bytes are base64. With the input's end the process ends.
"""

import base64
import json
import sys
import threading
from concurrent import futures

sys.path.insert(0, sys.argv[1])

import grpc  # noqa: E402
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: E402

# grpcio sends codes of its own enumeration only; C++ handlers can send any.
_ANY_CODE = grpc._common.STATUS_CODE_TO_CYGRPC_STATUS_CODE
CALL_ID = "x-oracle-call"


class Call:
    """What one call is answered with, and what its handler was given."""

    def __init__(self, command, handlers):
        self.command, self.handlers = command, handlers
        self.state = threading.Condition()
        self.running = 0
        self.ran, self.received, self.fault = False, [], ""

    def handle(self, method, output, requests, context):
        with self.state:
            self.running += 1
        try:
            self.ran = True
            for request in requests:
                raw = request.SerializePartialToString(deterministic=True)
                self.received.append(base64.b64encode(raw).decode())
            messages = self.messages(output)
            if self.command["gzip"]:
                context.set_compression(grpc.Compression.Gzip)
            code = self.command["code"]
            if code == 0 or method.server_streaming:
                yield from messages
            if code != 0:
                _ANY_CODE.setdefault(code, code)
                if self.command["details"]:
                    details = base64.b64decode(self.command["details"])
                    context.set_trailing_metadata((("grpc-status-details-bin", details),))
                context.abort(code, self.command["message"])
        finally:
            with self.state:
                self.running -= 1
                self.state.notify_all()

    def messages(self, output):
        try:
            return [output.FromString(base64.b64decode(m)) for m in self.command["messages"]]
        except Exception as fault:
            self.fault = "the answer is no %s: %r" % (output.DESCRIPTOR.full_name, fault)
            raise

    def result(self):
        with self.state:
            self.state.wait_for(lambda: self.running == 0)
        return {"ran": self.ran, "received": self.received, "fault": self.fault}


class Server(grpc.GenericRpcHandler):
    """One server for all sets: a call belongs to the set that was programmed."""

    def __init__(self):
        self.sets = []
        self.call = Call({"call": ""}, {})
        self.grpc = grpc.server(futures.ThreadPoolExecutor(), handlers=(self,))
        self.address = "127.0.0.1:%d" % self.grpc.add_insecure_port("127.0.0.1:0")
        self.grpc.start()

    def service(self, details):
        call = self.call
        if dict(details.invocation_metadata).get(CALL_ID) != call.command["call"]:
            return None  # of a request that the proxy gave up
        make = call.handlers.get(details.method)
        return make(call) if make else None

    def load(self, raw):
        files = descriptor_pb2.FileDescriptorSet.FromString(raw)
        pool = descriptor_pool.DescriptorPool()
        for file in files.file:
            pool.AddSerializedFile(file.SerializeToString())
        handlers = {}
        for file in files.file:
            for service in file.service:
                name = ".".join(filter(None, [file.package, service.name]))
                for method in pool.FindServiceByName(name).methods:
                    handlers["/%s/%s" % (name, method.name)] = handler(method)
        self.sets.append(handlers)
        return len(self.sets) - 1

    def do(self, command):
        if command["do"] == "load":
            return {"set": self.load(base64.b64decode(command["raw"]))}
        if command["do"] == "program":
            self.call = Call(command, self.sets[command["set"]])
            return {}
        return self.call.result()


def handler(method):
    """Gives what makes the handler of a call, as generated code registers it."""
    read = message_factory.GetMessageClass(method.input_type).FromString
    output = message_factory.GetMessageClass(method.output_type)
    kind = "_".join("stream" if s else "unary" for s in (method.client_streaming, method.server_streaming))

    def make(call):
        def stream(requests, context):
            return call.handle(method, output, requests if method.client_streaming else [requests], context)

        def unary(requests, context):
            return next(iter(list(stream(requests, context))), output())

        return getattr(grpc, kind + "_rpc_method_handler")(
            stream if method.server_streaming else unary,
            read,
            lambda m: m.SerializeToString(deterministic=True),
        )

    return make


def main():
    server = Server()
    print(json.dumps({"version": grpc.__version__, "address": server.address}), flush=True)
    for line in sys.stdin:
        try:
            out = server.do(json.loads(line))
        except Exception as fault:
            out = {"error": repr(fault)}
        print(json.dumps(out), flush=True)
    server.grpc.stop(None)


if __name__ == "__main__":
    main()
