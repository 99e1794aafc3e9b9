/** Events and their targets, only as IndexedDB needs them. Anything else throws. */

type Listener = (event: Event) => unknown;

export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly oldVersion: number | undefined;
  readonly newVersion: number | null | undefined;
  target: Target | null = null;
  currentTarget: Target | null = null;
  defaultPrevented = false;
  isStopped = false;

  constructor(
    type: string,
    { bubbles = false, cancelable = false }: { bubbles?: boolean; cancelable?: boolean } = {},
    versions?: { oldVersion: number; newVersion: number },
  ) {
    this.type = type;
    this.bubbles = bubbles;
    this.cancelable = cancelable;
    this.oldVersion = versions?.oldVersion;
    this.newVersion = versions?.newVersion;
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {
    this.isStopped = true;
  }
}

export class Target {
  #listeners: readonly { type: string; listener: Listener }[] = [];

  addEventListener(type: string, listener: Listener, options?: unknown): void {
    if (options !== undefined) throw new Error('options of listeners are not simulated');
    if (!this.#has(type, listener)) this.#listeners = [...this.#listeners, { type, listener }];
  }

  removeEventListener(type: string, listener: Listener): void {
    if (this.#has(type, listener))
      this.#listeners = this.#listeners.filter((one) => one.type !== type || one.listener !== listener);
  }

  protected get parent(): Target | null {
    return null;
  }

  /** Calls all listeners. @returns whether one of them threw */
  dispatch(event: Event): boolean {
    event.target = this;
    const hasThrown = this.#tell(event);
    event.currentTarget = null;
    return hasThrown;
  }

  #tell(event: Event): boolean {
    if (`on${event.type}` in this) throw new Error(`on${event.type} is not simulated`);
    event.currentTarget = this;
    let hasThrown = false;
    for (const { type, listener } of this.#listeners)
      try {
        if (type === event.type) listener.call(this, event);
      } catch {
        hasThrown = true;
      }
    const next = event.bubbles && !event.isStopped ? this.parent : null;
    return (next !== null && next.#tell(event)) || hasThrown;
  }

  #has(type: string, listener: Listener): boolean {
    return this.#listeners.some((one) => one.type === type && one.listener === listener);
  }
}
