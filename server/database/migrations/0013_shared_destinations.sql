ALTER TABLE "paymail_destinations" ADD COLUMN "maybe_paid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD COLUMN "claims" jsonb;--> statement-breakpoint
CREATE INDEX "paymail_destinations_outputs" ON "paymail_destinations" USING gin ("outputs" jsonb_path_ops);