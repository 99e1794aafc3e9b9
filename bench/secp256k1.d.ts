/** libsecp256k1, imported as the addon, because the package's entry point would fall back to a different library. */
declare module 'secp256k1/bindings.js' {
  const library: {
    /** Returns a deterministic (RFC 6979), low-S signature. */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
  };
  export default library;
}
