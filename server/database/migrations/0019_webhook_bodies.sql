CREATE TABLE "webhook_bodies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "body_id" uuid;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_body_id_webhook_bodies_id_fk" FOREIGN KEY ("body_id") REFERENCES "public"."webhook_bodies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_events_body_id" ON "webhook_events" USING btree ("body_id") WHERE "webhook_events"."body_id" is not null;