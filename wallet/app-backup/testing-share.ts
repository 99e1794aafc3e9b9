import type { LogEntry } from '../app-log/entry.ts';

export const [GREEDY, APP] = ['https://greedy.example', 'https://app.example'];
export const txidOf = (n: number) => n.toString(16).padStart(64, '0');
export const output = (n: number, origin: string, bytes: number): LogEntry => ({
  ...{ kind: 'output', outpoint: `${txidOf(n)}:0`, satoshis: '1000', basket: 'b', tags: [], origin, description: '' },
  customInstructions: 'x'.repeat(bytes),
});
export const action = (n: number, origin: string, bytes: number): LogEntry => ({
  ...{ kind: 'action', txid: txidOf(n), origin, description: 'x'.repeat(bytes), labels: [], outputs: [], at: n },
});
