ALTER TABLE "webhook_events" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "previous_webhook_secret" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "previous_webhook_secret_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "response" text;--> statement-breakpoint
CREATE INDEX "applications_previous_webhook_secret_until" ON "applications" USING btree ("previous_webhook_secret_until") WHERE "applications"."previous_webhook_secret_until" is not null;