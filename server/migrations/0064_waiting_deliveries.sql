-- The oldest waiting delivery of each channel, and how many wait, read every few seconds for operators.
create index delivery_waiting on delivery (channel, queued_at) where state = 'pending';
