ALTER TABLE "payments" ADD COLUMN "network" text DEFAULT 'seen' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "unseen_since" timestamp with time zone;