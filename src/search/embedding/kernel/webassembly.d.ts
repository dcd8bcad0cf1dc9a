/** The part of WebAssembly that is used here: TypeScript declares it among the things of a browser alone. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array);
  }

  class Instance {
    readonly exports: Record<string, unknown>;
    constructor(module: Module);
  }
}
