import { text } from 'node:stream/consumers';
import { defineConfig } from 'vite';
import { order, type Answer } from './server.ts';

/** Serves the page, and `POST /orders` beside it. */
export default defineConfig({
  plugins: [{
    name: 'shop',
    configureServer({ middlewares }) {
      middlewares.use('/orders', async (request, response) => {
        const answer: Answer = await text(request)
          .then((body) => order((JSON.parse(body) as { txid?: unknown }).txid))
          .catch(() => ({ problem: 'The payment cannot be checked right now. Nothing is lost: reload later.' }));
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
      });
    },
  }],
});
