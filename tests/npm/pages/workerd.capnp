using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "edge.js", esModule = embed "edge.js"),
    (name = "spmlite.wasm", wasm = embed "spmlite.wasm"),
    (name = "spmlite-sampling.wasm", wasm = embed "spmlite-sampling.wasm"),
    (name = "spmlite-convert.wasm", wasm = embed "spmlite-convert.wasm"),
    (name = "spmlite-readers.wasm", wasm = embed "spmlite-readers.wasm"),
  ],
);
