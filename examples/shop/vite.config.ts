import { defineConfig } from 'vite';
import { createShop } from './server.ts';

const {
  SERVICE_URL = 'http://localhost:3000',
  CLIENT_IDENTIFIER = '',
  CLIENT_SECRET = '',
  WEBHOOK_SECRET = '',
} = process.env;

for (const [name, value] of Object.entries({ CLIENT_IDENTIFIER, CLIENT_SECRET, WEBHOOK_SECRET }))
  if (value === '') throw new Error(`${name} is not set: README.md says where the shop’s credentials come from.`);

export default defineConfig({
  plugins: [
    {
      name: 'shop',
      configureServer({ middlewares }) {
        const shop = createShop({
          serviceUrl: SERVICE_URL,
          clientIdentifier: CLIENT_IDENTIFIER,
          clientSecret: CLIENT_SECRET,
          webhookSecret: WEBHOOK_SECRET,
        });
        for (const path of ['/orders', '/webhooks']) middlewares.use(path, shop);
      },
    },
  ],
});
