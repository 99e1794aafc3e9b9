CREATE TABLE "instance_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "webhook_events_next_attempt_at";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "callback_asked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "webhook_events_due" ON "webhook_events" USING btree ("application_id","next_attempt_at") WHERE "webhook_events"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_over" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."next_attempt_at" is null;