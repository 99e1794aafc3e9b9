import { useState } from 'preact/hooks';
import type { Network } from '../../../../protocol/bitcoin/address.ts';
import { readImage, type NoCode } from './read-image.ts';
import { problemOfCode } from './recipient-in-code.ts';

/** The state of a scan: idle, reading, form filled in, no code found, or a code that isn't a recipient. */
export type ScanState =
  | { at: 'idle' | 'reading' | 'filled' }
  | { at: 'failed'; why: NoCode }
  | { at: 'unfit'; text: string; problem: string };

/** Scans a code. `onFill` receives the code's text if the text is a valid recipient. */
export function useScan(network: Network, onFill: (text: string) => void) {
  const [state, setState] = useState<ScanState>({ at: 'idle' });
  const [camera, setCamera] = useState(false);
  const take = (text: string): void => {
    const problem = problemOfCode(text, network);
    if (problem !== null) return setState({ at: 'unfit', text, problem });
    setCamera(false);
    setState({ at: 'filled' });
    onFill(text);
  };
  const read = async (file: Blob): Promise<void> => {
    setState({ at: 'reading' });
    const result = await readImage(file).catch((): { failed: NoCode } => ({ failed: 'no-image' }));
    if ('text' in result) take(result.text);
    else setState({ at: 'failed', why: result.failed });
  };
  const open = (on: boolean): void => {
    setState({ at: 'idle' });
    setCamera(on);
  };
  return {
    state,
    camera,
    take,
    read: (file: Blob) => void read(file),
    setCamera: open,
    forget: () => setState({ at: 'idle' }),
  };
}
