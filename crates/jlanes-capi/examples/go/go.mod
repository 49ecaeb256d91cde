module example.org/jlanes

go 1.17
