/** Creates pino's `timestamp` function (ISO 8601). Each millisecond is formatted only once. */
export function createTimestamp(): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
