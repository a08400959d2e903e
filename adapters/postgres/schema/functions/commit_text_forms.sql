-- Adds the forms that stored texts refer to; most of them are there already.
CREATE OR REPLACE FUNCTION commit_text_forms(forms jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO text_forms SELECT * FROM jsonb_to_recordset(forms) AS f (form_id id, form text) ORDER BY form_id
  ON CONFLICT (form_id) DO NOTHING;
  IF EXISTS (
    SELECT FROM jsonb_to_recordset(forms) AS f (form_id id, form text) JOIN text_forms known USING (form_id)
    WHERE known.form <> f.form
  ) THEN
    RAISE EXCEPTION 'two forms of texts have one number' USING ERRCODE = 'unique_violation';
  END IF;
END $$;
