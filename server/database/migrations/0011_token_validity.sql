CREATE TABLE "token_verdicts" (
	"outpoint" text PRIMARY KEY NOT NULL,
	"valid" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "token_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "token_units" numeric(22, 0);--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "asset_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "token_validity" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "next_token_check_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "token_checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_next_token_check_at" ON "payments" USING btree ("next_token_check_at") WHERE "payments"."next_token_check_at" is not null;