-- A received message that makes the app stop came again at every start, for ever. Attempts are counted, so that such a
-- message is given up at some point and those behind it get through.
ALTER TABLE rcv_messages ADD COLUMN receive_attempts INTEGER NOT NULL DEFAULT 0;
