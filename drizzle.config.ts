import { defineConfig } from 'drizzle-kit';

/** `npm run migrations` writes changes of the schema to the migrations folder as SQL. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/database/schema.ts',
  out: './server/database/migrations',
});
