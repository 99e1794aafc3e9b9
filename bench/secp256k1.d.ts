/** libsecp256k1, by the addon alone: the package's own entry would take another library where that is missing. */
declare module 'secp256k1/bindings.js' {
  const library: {
    /** Deterministic (RFC 6979), low S. */
    ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
  };
  export default library;
}
