ALTER TABLE "payments" ADD COLUMN "refund_of" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_satoshis" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_satoshis" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "payments_refund_of" ON "payments" USING btree ("refund_of") WHERE "payments"."refund_satoshis" is not null;