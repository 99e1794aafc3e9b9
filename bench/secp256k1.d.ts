/** libsecp256k1, only as the addon: the package's own entry point would fall back to another library. */
declare module 'secp256k1/bindings.js' {
  const library: {
    /** Deterministic (RFC 6979), low S. */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
  };
  export default library;
}
