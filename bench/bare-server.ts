/** The baseline for the service: one Express route that returns JSON of the same length as an identity response. */
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.get('/', (_request, response) => {
  response.json({ id: '1001', name: 'A Name', padding: 'x'.repeat(60) });
});
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`ready: http://localhost:${(server.address() as AddressInfo).port}`),
);
