-- What postgres_fdw reads is relations, so a shard's reply is a view.
CREATE VIEW lineitem_packed AS SELECT rows FROM public.lineitem_rowset() AS rows;
