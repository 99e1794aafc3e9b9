/** Starts the example. The settings are environment variables. README.md explains how to get their values. */
import { createOAuthApp } from './app.ts';

const {
  CLIENT_ID,
  CLIENT_SECRET,
  SERVICE_URL = 'http://localhost:3000',
  PORT = '4000',
  BASE_URL = `http://localhost:${PORT}`,
} = process.env;
if (CLIENT_ID === undefined) {
  console.error(
    'Set CLIENT_ID to the OAuth identifier of your application. examples/oauth-app/README.md says how to get one.',
  );
  process.exit(1);
}
const app = await createOAuthApp({
  serviceUrl: SERVICE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  baseUrl: BASE_URL,
});
app.listen(Number(PORT), () => console.log(`ready: ${BASE_URL}`));
