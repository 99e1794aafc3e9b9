import { defineConfig } from 'drizzle-kit';

/** `npm run migrations` writes what changed in the schema as SQL into the migrations folder. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './server/database/schema.ts',
  out: './server/database/migrations',
});
