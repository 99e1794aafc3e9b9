import { useEffect, useRef, useState } from 'preact/hooks';
import { scanTexts as t } from '../../../ui/texts/texts.ts';
import { findCode } from './find-code.ts';

/** Interval between two searches for a code, and maximum duration of a search (milliseconds). */
const [LOOK_EVERY_MS, PATIENCE_MS] = [200, 100];

/** Shows the camera image, and searches it for a code while the page is visible. `onCode` receives each text once. */
export function Camera({ onCode, onStop }: { onCode: (text: string) => void; onStop: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'starting' | 'on' | 'noCamera' | 'notAllowed'>('starting');
  useEffect(() => {
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    let last = '';
    const look = async (): Promise<void> => {
      const source = video.current;
      if (source && source.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
        const picture = { source, width: source.videoWidth, height: source.videoHeight };
        const text = await findCode(picture, PATIENCE_MS);
        if (text !== null && text !== last && !over) onCode((last = text));
      }
      if (!over) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    const start = async (): Promise<void> => {
      const wanted = { audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } };
      const opened = await navigator.mediaDevices.getUserMedia(wanted);
      if (over) return end(opened);
      stream = opened;
      if (video.current) video.current.srcObject = opened;
      setState('on');
      void look();
    };
    start().catch(
      (error: unknown) =>
        !over &&
        setState(error instanceof DOMException && error.name === 'NotAllowedError' ? 'notAllowed' : 'noCamera'),
    );
    const hidden = () => document.visibilityState === 'hidden' && onStop();
    document.addEventListener('visibilitychange', hidden);
    return () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hidden);
      if (stream) end(stream);
    };
  }, []);
  const failed = state === 'noCamera' || state === 'notAllowed';
  return (
    <div class="stack stack-tight" data-part="camera" data-state={state}>
      {failed ? (
        <p class="banner banner-warning" role="alert">
          {t[state]}
        </p>
      ) : (
        <>
          <video ref={video} class="scan-video" aria-label={t.picture} autoplay muted playsInline />
          <p class="small muted" role="status">
            {state === 'on' ? t.aim : t.starting}
          </p>
        </>
      )}
      <div>
        <button type="button" class="button button-quiet button-small" data-action="stop-camera" onClick={onStop}>
          {t.stop}
        </button>
      </div>
    </div>
  );
}

function end(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
