import { customType, timestamp } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
export const tsvector = customType<{ data: readonly string[]; driverData: string }>({ dataType: () => 'tsvector' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
