//! Model Context Protocol servers from plain annotated functions.
