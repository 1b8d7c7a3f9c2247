graph [ directed 1 node [ id 0 label "a" x 1.5 ] node [ id 1 label "b" x 2 ] edge [ source 0 target 1 weight 2 ] ]
