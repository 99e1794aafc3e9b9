/** A mock of the browser APIs that the background uses. The mock's state outlives the service worker. */
type Listener = (...args: never[]) => unknown;

/** A browser event with its listeners. */
class Happening {
  readonly listeners = new Set<Listener>();

  addListener(listener: Listener): void {
    this.listeners.add(listener);
  }

  tell(...args: unknown[]): void {
    for (const listener of this.listeners) listener(...(args as never[]));
  }
}

export interface OpenWindow {
  id: number;
  state?: 'normal' | 'minimized';
  url: string;
}

/** A browser's state that outlives a worker run: windows, alarms and storage. */
export class TestBrowser {
  readonly id = 'wallet-extension-id';
  readonly root = `chrome-extension://${this.id}/`;
  readonly windows = new Map<number, OpenWindow>();
  readonly alarms = new Map<string, { when?: number; periodInMinutes?: number; scheduledTime: number }>();
  readonly session = new Map<string, unknown>();
  /** Extension storage that outlives the browser, like IndexedDB. */
  readonly local = new Map<string, unknown>();
  readonly openedTabs: string[] = [];
  /** The installation type: `normal` from a store, `development` from a folder. */
  installType: 'normal' | 'development' | 'admin' | 'sideload' = 'normal';
  readonly notifications = new Map<string, { title: string; message: string }>();
  /** The IDs of all notifications so far, in order. */
  readonly notified: string[] = [];
  badge = '';
  focused: number | null = null;
  windowsOpened = 0;
  #nextWindow = 1;
  readonly #now: () => number;
  // The events of the current worker run.
  #removed = new Happening();
  #started = new Happening();

  /** @param now the browser's clock (milliseconds since 1970) */
  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  closeWindow(id: number): void {
    if (this.windows.delete(id)) this.#removed.tell(id);
  }

  /** Fires the startup event in the current worker run. */
  hasStarted(): void {
    this.#started.tell();
  }

  /** Restarts the browser, which closes all windows and clears the session storage. */
  restart(): void {
    this.windows.clear();
    this.session.clear();
    this.#removed = new Happening();
  }

  /**
   * Returns the `webextension-polyfill` mock for one worker run.
   * @param around wraps every call that changes state
   */
  api(around: <T>(name: string, call: () => T) => Promise<T>) {
    this.#removed = new Happening();
    this.#started = new Happening();
    const events = {
      onConnect: new Happening(),
      onMessage: new Happening(),
      onStartup: this.#started,
      onInstalled: new Happening(),
      onAlarm: new Happening(),
      onClicked: new Happening(),
      onStateChanged: new Happening(),
    };
    return {
      events,
      runtime: {
        id: this.id,
        getURL: (path: string) => `${this.root}${path}`,
        getManifest: () => ({ version: '0.1.0' }),
        onConnect: events.onConnect,
        onMessage: events.onMessage,
        onStartup: events.onStartup,
        onInstalled: events.onInstalled,
      },
      management: { getSelf: async () => ({ installType: this.installType }) },
      storage: {
        local: {
          get: (key: string) =>
            around('storage.local.get', () => (this.local.has(key) ? { [key]: this.local.get(key) } : {})),
          set: (values: Record<string, unknown>) =>
            around('storage.local.set', () => {
              for (const [key, value] of Object.entries(values)) this.local.set(key, structuredClone(value));
            }),
          remove: (key: string) => around('storage.local.remove', () => void this.local.delete(key)),
        },
        session: {
          get: (key: string) =>
            around('storage.session.get', () => (this.session.has(key) ? { [key]: this.session.get(key) } : {})),
          set: (values: Record<string, unknown>) =>
            around('storage.session.set', () => {
              for (const [key, value] of Object.entries(values)) this.session.set(key, structuredClone(value));
            }),
          remove: (keys: string | string[]) =>
            around('storage.session.remove', () => {
              for (const key of [keys].flat()) this.session.delete(key);
            }),
        },
      },
      alarms: {
        create: (name: string, info: { when?: number; delayInMinutes?: number; periodInMinutes?: number }) =>
          around('alarms.create', () => {
            const minutes = info.delayInMinutes ?? info.periodInMinutes ?? 0;
            this.alarms.set(name, { ...info, scheduledTime: info.when ?? this.#now() + minutes * 60_000 });
          }),
        get: (name: string) => around('alarms.get', () => this.alarms.get(name)),
        clear: (name: string) => around('alarms.clear', () => this.alarms.delete(name)),
        onAlarm: events.onAlarm,
      },
      action: {
        setBadgeBackgroundColor: async () => undefined,
        setBadgeText: async ({ text }: { text: string }) => void (this.badge = text),
      },
      idle: { onStateChanged: events.onStateChanged },
      windows: {
        create: ({ url }: { url: string }) =>
          around('windows.create', () => {
            this.windowsOpened += 1;
            const id = this.#nextWindow++;
            this.windows.set(id, { id, url });
            return { id };
          }),
        get: (id: number) =>
          around('windows.get', () => {
            const found = this.windows.get(id);
            if (!found) throw new Error(`no window ${id}`);
            return found;
          }),
        update: async (id: number, { state, focused }: { state?: 'normal'; focused?: boolean }) => {
          const found = this.windows.get(id);
          if (!found) throw new Error(`no window ${id}`);
          if (state) found.state = state;
          if (focused) this.focused = id;
        },
        remove: (id: number) =>
          around('windows.remove', () => {
            if (!this.windows.delete(id)) throw new Error(`no window ${id}`);
            this.#removed.tell(id);
          }),
        onRemoved: this.#removed,
      },
      notifications: {
        create: (id: string, { title, message }: { title: string; message: string }) =>
          around('notifications.create', () => {
            if (!this.notifications.has(id)) this.notified.push(id);
            this.notifications.set(id, { title, message });
            return id;
          }),
        clear: (id: string) => around('notifications.clear', () => this.notifications.delete(id)),
        onClicked: events.onClicked,
      },
      tabs: { create: ({ url }: { url: string }) => around('tabs.create', () => void this.openedTabs.push(url)) },
    };
  }
}
