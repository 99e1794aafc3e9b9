ALTER TABLE "applications" ADD COLUMN "webhook_body_secret" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "sender_paymail" text;