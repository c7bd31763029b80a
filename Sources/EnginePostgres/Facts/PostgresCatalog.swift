import ChatDBEngine

/// Questions to the server's catalogue about the objects of one schema: the present one of the transaction.
///
/// Tables and functions of the catalogue have their schema, `pg_catalog`, in front. A schema that is not trusted may
/// have functions of the same names, whose types fit better.
enum PostgresCatalog {
    /// The number of the present schema; NULL when it does not exist. It is found by its name as it is: a cast to
    /// `regnamespace` would read the name as SQL, in which a capital letter or a blank needs quotes. In the place of a
    /// schema that does not exist, `current_schema()` returns the temporary one, which is next in the search path.
    static let schema: Query = """
        (SELECT oid FROM pg_catalog.pg_namespace
            WHERE nspname = pg_catalog.current_schema() AND nspname NOT LIKE 'pg\\_temp\\_%')
        """

    /// The tables. Each partition is one too.
    static let tables: Query = """
        SELECT c.relname AS name, c.relkind::text AS kind, c.relpersistence = 'u' AS unlogged,
            c.relrowsecurity AS secured, c.relispartition AS partition,
            CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END AS parted,
            pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS bound,
            (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(p.relname), ', ' ORDER BY h.inhseqno)
                FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS p ON p.oid = h.inhparent
                WHERE h.inhrelid = c.oid) AS parents
        FROM pg_catalog.pg_class AS c
        WHERE c.relnamespace = \(schema) AND c.relkind IN ('r', 'p', 'f')
        """

    /// The columns of the tables, in their order.
    static let columns: Query = """
        SELECT c.relname AS owner, a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
            a.attnotnull AS is_required, pg_catalog.pg_get_expr(d.adbin, d.adrelid, TRUE) AS value,
            a.attidentity::text AS identity, a.attgenerated::text AS generated,
            (SELECT collname FROM pg_catalog.pg_collation
                WHERE oid = a.attcollation AND a.attcollation <> t.typcollation) AS collation
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
            JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
            LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = \(schema) AND c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY c.relname, a.attnum
        """

    /// The constraints of the tables. The server prints each one whole as `definition`.
    static let constraints: Query = """
        SELECT k.oid AS number, c.relname AS owner, k.contype::text AS kind,
            pg_catalog.pg_get_constraintdef(k.oid, TRUE) AS definition,
            pg_catalog.pg_get_expr(k.conbin, k.conrelid, TRUE) AS expression,
            k.confdeltype::text AS on_delete, k.confupdtype::text AS on_update, k.condeferred AS deferred,
            p.relname AS parent, pg_catalog.quote_ident(p.relname) AS parent_written,
            p.relnamespace = c.relnamespace AS has_own_parent
        FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            LEFT JOIN pg_catalog.pg_class AS p ON p.oid = k.confrelid
        WHERE c.relnamespace = \(schema) AND k.contype IN ('c', 'f', 'n', 'p', 'u', 'x')
        """

    /// The columns of the constraints, in their order, and those that a reference leads to.
    static let constraintColumns: Query = """
        SELECT k.oid AS number, a.attname AS name, pg_catalog.quote_ident(a.attname) AS written,
            b.attname AS parent, pg_catalog.quote_ident(b.attname) AS parent_written
        FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
            CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u (own, other, place)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.own
            LEFT JOIN pg_catalog.pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = u.other
        WHERE c.relnamespace = \(schema)
        ORDER BY k.oid, u.place
        """

    /// The indexes that belong to no constraint. Servers before 15 have no `indnullsnotdistinct`.
    static let indexes: Query = """
        SELECT i.relname AS name, c.relname AS owner, x.indisunique AS is_unique, m.amname AS method,
            pg_catalog.pg_get_expr(x.indpred, x.indrelid, TRUE) AS condition,
            coalesce((pg_catalog.to_jsonb(x) ->> 'indnullsnotdistinct')::boolean, FALSE) AS joins_nulls
        FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid JOIN pg_catalog.pg_am AS m ON m.oid = i.relam
        WHERE c.relnamespace = \(schema) AND NOT EXISTS (
            SELECT 1 FROM pg_catalog.pg_constraint AS k
            WHERE k.conindid = x.indexrelid AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u', 'x'))
        """

    /// The columns of all indexes, in their order: the column or expression, what stands behind it when it is not the
    /// default, and whether it is no key. The bits of `indoption` are 1 for DESC and 2 for NULLS FIRST. Which collation
    /// is not that of the expression is known only by what the server prints for the whole index.
    static let indexColumns: Query = """
        SELECT i.relname AS owner, pg_catalog.pg_get_indexdef(x.indexrelid, n, TRUE) AS written,
            n > x.indnkeyatts AS included, coalesce(x.indoption[n - 1], 0) AS option,
            CASE WHEN NOT o.opcdefault THEN pg_catalog.quote_ident(o.opcname) END AS class,
            CASE WHEN pg_catalog.strpos(
                pg_catalog.pg_get_indexdef(x.indexrelid, 0, TRUE),
                pg_catalog.pg_get_indexdef(x.indexrelid, n, TRUE) || ' COLLATE '
                    || x.indcollation[n - 1]::regcollation::text) > 0
                THEN x.indcollation[n - 1]::regcollation::text END AS collation
        FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid
            CROSS JOIN LATERAL pg_catalog.generate_series(1, x.indnatts::integer) AS n
            LEFT JOIN pg_catalog.pg_opclass AS o ON o.oid = x.indclass[n - 1]
        WHERE c.relnamespace = \(schema)
        ORDER BY i.relname, n
        """

    /// The triggers, and the rules, which change what a statement does as well. The rule of a view is its definition.
    static let triggers: Query = """
        SELECT g.tgname AS name, c.relname AS owner, pg_catalog.quote_ident(g.tgname) AS written,
            pg_catalog.quote_ident(c.relname) AS table_written, 'TRIGGER' AS kind,
            pg_catalog.pg_get_triggerdef(g.oid, TRUE) AS text, g.tgenabled::text AS state
        FROM pg_catalog.pg_trigger AS g JOIN pg_catalog.pg_class AS c ON c.oid = g.tgrelid
        WHERE c.relnamespace = \(schema) AND NOT g.tgisinternal
        UNION ALL
        SELECT r.rulename, c.relname, pg_catalog.quote_ident(r.rulename), pg_catalog.quote_ident(c.relname), 'RULE',
            pg_catalog.pg_get_ruledef(r.oid, TRUE), r.ev_enabled::text
        FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.ev_class
        WHERE c.relnamespace = \(schema) AND r.ev_type <> '1'
        """

    /// The views.
    static let views: Query = """
        SELECT c.relname AS name, pg_catalog.quote_ident(c.relname) AS written, c.relkind = 'm' AS is_materialized,
            pg_catalog.array_to_string(c.reloptions, ', ') AS options, pg_catalog.pg_get_viewdef(c.oid, TRUE) AS text
        FROM pg_catalog.pg_class AS c WHERE c.relnamespace = \(schema) AND c.relkind IN ('v', 'm')
        """

    /// The functions and procedures; the server prints no aggregate.
    static let functions: Query = """
        SELECT pg_catalog.quote_ident(f.proname) AS written, pg_catalog.oidvectortypes(f.proargtypes) AS types,
            CASE WHEN f.prokind = 'a' THEN NULL ELSE pg_catalog.pg_get_functiondef(f.oid) END AS text,
            EXISTS (SELECT 1 FROM pg_catalog.unnest(f.proconfig) AS s WHERE s LIKE 'search\\_path=%') AS has_path,
            n.nspname AS schema, pg_catalog.quote_ident(n.nspname) AS schema_written
        FROM pg_catalog.pg_proc AS f JOIN pg_catalog.pg_namespace AS n ON n.oid = f.pronamespace
        WHERE f.pronamespace = \(schema)
        """
}
