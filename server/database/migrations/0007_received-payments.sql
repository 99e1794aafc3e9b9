ALTER TABLE "payment_outputs" ADD COLUMN "recipient_id" bigint;--> statement-breakpoint
ALTER TABLE "payment_outputs" ADD CONSTRAINT "payment_outputs_recipient_id_users_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" DROP COLUMN "rawtx";