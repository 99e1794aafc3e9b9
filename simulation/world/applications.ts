/** Simulated BRC-100 applications. One application is honest and stores tickets in a basket. The others attack. */
import { AppActions } from './app-actions.ts';
import { AppBaskets } from './app-baskets.ts';
import { APPLICATIONS, AppCalls, HONEST, type Call } from './app-calls.ts';

type Surroundings = ConstructorParameters<typeof AppCalls>[0] &
  ConstructorParameters<typeof AppBaskets>[0] &
  ConstructorParameters<typeof AppActions>[0];

export class Applications {
  readonly #calls: AppCalls;
  readonly #actions: AppActions;
  readonly baskets: AppBaskets;

  constructor(world: Surroundings) {
    this.#calls = new AppCalls(world);
    this.baskets = new AppBaskets(world, this.#calls);
    this.#actions = new AppActions(world, this.#calls, this.baskets);
  }

  get areUsed(): boolean {
    return this.#calls.count > 0;
  }

  /** Makes an application's call, and records its effects. */
  async act(call: Call): Promise<void> {
    const origin = APPLICATIONS[call.app] ?? HONEST;
    switch (call.act) {
      case 'pay':
        return this.#actions.create(origin, call);
      case 'ticket':
        return this.#actions.create(origin, call, { isTicket: true });
      case 'chain':
      case 'redeem':
      case 'bring':
      case 'take':
      case 'copy':
      case 'sign':
      case 'abort':
      case 'send':
      case 'surface':
        return this.#actions[call.act](origin, call);
      case 'insert':
      case 'receive':
      case 'list':
      case 'relinquish':
        return this.baskets[call.act](origin, call);
    }
  }
}
