DROP INDEX "payments_reported_txid";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "reported" boolean;--> statement-breakpoint
UPDATE "payments" SET "reported" = "user_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "reported" SET NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reported_txid" ON "payments" USING btree ("txid") WHERE "payments"."reported";
