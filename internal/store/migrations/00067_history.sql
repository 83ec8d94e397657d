-- +goose Up
-- Marks a database in which every migration stands under its present number, and nothing is
-- left of migrations that were changed after they had landed. The program sees to that before.
SELECT 1;
